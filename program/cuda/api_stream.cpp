// SPDX-License-Identifier: Apache-2.0
// Streams and events. Copies have ended when their call returns, and so have kernels unless several
// run at a time: then they wait for each other as their streams and events say
// (program/launch_queue.hpp). An event is the simulated time at which what its stream had been
// given was done.
#include <algorithm>
#include <unordered_set>
#include <vector>

#include "program/cuda/api.hpp"
#include "program/cuda/capture.hpp"

struct CUstream_st {
  unsigned int flags = cudaStreamDefault;
  /// What a program said of a stream that changes nothing here: it gets it back.
  struct Attributes {
    cudaAccessPolicyWindow window{};
    cudaSynchronizationPolicy policy = cudaSyncPolicyAuto;
  } attributes{};
};

struct CUevent_st {
  unsigned int flags = cudaEventDefault;
  bool recorded = false;
  warpmem::program::cuda::Runtime::Moment moment;
  unsigned long long capture = 0;           ///< recorded in the capture of that number
  std::vector<CUgraphNode_st*> captured{};  ///< what it stands for there
};

namespace {

using namespace warpmem::program::cuda;

// These are the handles given out, so that a stale one is an error and not a crash. They are never
// destroyed.
template <class T>
std::unordered_set<T*>& live() {
  static auto* const the_set = new std::unordered_set<T*>;
  return *the_set;
}

bool valid(cudaStream_t stream) { return is_stream(stream); }
bool valid(cudaEvent_t event) { return is_event(event); }

template <class Handle>
cudaError_t check(Handle handle) {
  return valid(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

/// The streams that are always there share theirs.
CUstream_st::Attributes& attributes_of(cudaStream_t stream) {
  static auto* const others = new CUstream_st::Attributes;
  return live<CUstream_st>().count(stream) != 0 ? stream->attributes : *others;
}

}  // namespace

namespace warpmem::program::cuda {

bool is_stream(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
         live<CUstream_st>().count(stream) != 0;
}
bool is_event(cudaEvent_t event) { return live<CUevent_st>().count(event) != 0; }

StreamId id_of(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy) return {};
  return {stream, stream == cudaStreamPerThread || (stream->flags & cudaStreamNonBlocking) == 0};
}

}  // namespace warpmem::program::cuda

extern "C" {

// All streams have the one priority that cudaDeviceGetStreamPriorityRange() tells; what is outside
// of the range is taken for the nearest within it.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int) {
  return api_beside_kernels([&](Runtime&) {
    if (stream == nullptr || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *stream = new CUstream_st{flags};
    live<CUstream_st>().insert(*stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return api([&](Runtime&) {
    if (const cudaError_t error = refuse_in_capture(stream); error != cudaSuccess) return error;
    if (live<CUstream_st>().erase(stream) == 0) return cudaErrorInvalidResourceHandle;
    delete stream;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return api(stream, [&](Runtime&) { return refuse_in_capture(stream); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (!valid(stream) || !valid(event)) return cudaErrorInvalidResourceHandle;
    if (Capture* const capture = capture_with(event->capture)) {
      Capture* const own = capture_of(stream);
      if (own != nullptr && own != capture) {
        own->invalid = capture->invalid = true;
        return cudaErrorStreamCaptureMerge;
      }
      auto& tip = capture->tips[stream];
      for (CUgraphNode_st* const node : event->captured)
        if (std::find(tip.begin(), tip.end(), node) == tip.end()) tip.push_back(node);
      return cudaSuccess;
    }
    // What was recorded outside is over when the graph is launched; it is no part of it.
    if (Capture* const capture = capture_of(stream)) {
      capture->invalid = true;
      return cudaErrorStreamCaptureIsolation;
    }
    if (event->recorded) runtime.wait(id_of(stream), event->moment);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return api([&](Runtime&) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = live<CUstream_st>().count(stream) != 0 ? stream->flags : cudaStreamDefault;
    return check(stream);
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return api([&](Runtime&) {
    if (priority == nullptr) return cudaErrorInvalidValue;
    *priority = 0;
    return check(stream);
  });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  return api([&](Runtime&) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!valid(stream)) return cudaErrorInvalidResourceHandle;
    CUstream_st::Attributes& own = attributes_of(stream);
    if (attribute == cudaStreamAttributeAccessPolicyWindow)
      own.window = value->accessPolicyWindow;
    else if (attribute == cudaStreamAttributeSynchronizationPolicy)
      own.policy = value->syncPolicy;
    else
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  return api([&](Runtime&) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!valid(stream)) return cudaErrorInvalidResourceHandle;
    if (attribute == cudaStreamAttributeAccessPolicyWindow)
      value->accessPolicyWindow = attributes_of(stream).window;
    else if (attribute == cudaStreamAttributeSynchronizationPolicy)
      value->syncPolicy = attributes_of(stream).policy;
    else
      return cudaErrorInvalidValue;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return api([&](Runtime&) {
    if (!valid(to) || !valid(from)) return cudaErrorInvalidResourceHandle;
    attributes_of(to) = attributes_of(from);
    return cudaSuccess;
  });
}

cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  return api([&](Runtime&) {
    if (callback == nullptr) return cudaErrorInvalidValue;
    if (valid(stream)) callback(stream, cudaSuccess, data);
    return check(stream);
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return api([&](Runtime&) {
    if (function == nullptr) return cudaErrorInvalidValue;
    if (Capture* const capture = capture_of(stream))
      return capture->add(stream, cudaHostNodeParams{function, data});
    if (valid(stream)) function(data);
    return check(stream);
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return api_beside_kernels([&](Runtime&) {
    if (event == nullptr ||
        flags > (cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess))
      return cudaErrorInvalidValue;
    *event = new CUevent_st{flags, false, {}, 0, {}};
    live<CUevent_st>().insert(*event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return api([&](Runtime&) {
    if (live<CUevent_st>().erase(event) == 0) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return api_beside_kernels([&](Runtime& runtime) {
    if (!valid(event) || !valid(stream)) return cudaErrorInvalidResourceHandle;
    event->capture = 0;
    if (const Capture* const capture = capture_of(stream)) {
      event->capture = capture->id;
      event->captured = capture->tips.at(stream);
      return cudaSuccess;
    }
    event->recorded = true;
    event->moment = runtime.moment_of(id_of(stream));
    return cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return api([&](Runtime&) {
    if (!valid(event)) return cudaErrorInvalidResourceHandle;
    return capture_with(event->capture) != nullptr ? cudaErrorCapturedEvent : cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return api([&](Runtime&) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    if (!valid(start) || !valid(end)) return cudaErrorInvalidResourceHandle;
    if (!start->recorded || !end->recorded ||
        ((start->flags | end->flags) & cudaEventDisableTiming))
      return cudaErrorInvalidResourceHandle;
    *milliseconds = static_cast<float>((*end->moment.seconds - *start->moment.seconds) * 1000);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  return cudaEventRecord(event, stream);
}

// Managed memory is visible to every stream.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t, unsigned int) {
  return api([&](Runtime& runtime) {
    if (!valid(stream)) return cudaErrorInvalidResourceHandle;
    const auto* const a = runtime.memory().find(address_of(pointer), 1);
    return a != nullptr && a->managed ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // extern "C"
