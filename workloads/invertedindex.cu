// SPDX-License-Identifier: Apache-2.0
// invertedindex [threads = 1024] [piece = 256] [document = 8192]: finds the links of HTML documents
// (bytes each) and writes each one's URL, document and place; a thread looks through its piece
// (bytes) of the text for one kind of link after another. Counts, sums up, then writes.
//
// Stands for: II (inverted index) of Mars: its two map kernels and the sums between them, not the
// sort by URL.
// Memory: each lane reads its own piece byte by byte: a line for every lane, read 128 times over
// and again for each kind of link, thrashing in a small L1D; few lanes at work in links; writes
// where URLs are.
// In the papers: KI (docs/references.md).
// Measured (7680 256): un-coalesced, primary-miss-predominant, type II.
#include <algorithm>
#include <string>

#include "common/check.hpp"

constexpr unsigned kBlock = 256;
constexpr unsigned kTogether = 2;  // bytes that a thread reads before it looks at them
constexpr unsigned kKinds = 3, kLongest = 16;
// What follows '<', up to the URL.
constexpr char kStarts[kKinds][kLongest] = {"a href=\"", "img src=\"", "script src=\""};

struct Link {
  unsigned url;  // first byte in the array of URLs
  unsigned document;
  unsigned place;  // in the document, of the URL
};

/// How many links and bytes of URLs a piece has, or the pieces before it.
struct Sum {
  unsigned links, bytes;
};

/// Adds the links that start in [from, to) to `sum`; when `links` is given, writes them to
/// links[sum.links] and urls[sum.bytes] onwards.
__host__ __device__ inline void find_links(const char* text, unsigned from, unsigned to,
                                           unsigned end, unsigned document, const char* starts,
                                           Sum& sum, Link* links, char* urls) {
  for (unsigned kind = 0; kind < kKinds; ++kind) {
    for (unsigned at = from; at < to; at += kTogether) {
      char c[kTogether];
      unsigned tags = 0;  // a bit a byte
      for (unsigned k = 0; k < kTogether; ++k) c[k] = text[at + k];
      for (unsigned k = 0; k < kTogether; ++k) tags |= unsigned(c[k] == '<') << k;
      for (unsigned i = at; tags != 0; ++i, tags >>= 1) {
        if ((tags & 1) == 0) continue;
        const char* start = starts + kind * kLongest;
        unsigned url = i + 1;
        while (*start != '\0' && url < end && text[url] == *start) ++start, ++url;
        if (*start != '\0') continue;
        unsigned length = 0;
        for (; url + length < end && text[url + length] != '"'; ++length)
          if (urls != nullptr) urls[sum.bytes + length] = text[url + length];
        if (links != nullptr) links[sum.links] = Link{sum.bytes, url / document, url % document};
        ++sum.links;
        sum.bytes += length;
      }
    }
  }
}

__global__ void count_links(const char* text, unsigned piece, unsigned end, unsigned document,
                            const char* starts, Sum* count) {
  const unsigned t = blockIdx.x * kBlock + threadIdx.x;
  if (t * piece >= end) return;
  Sum sum = {0, 0};
  find_links(text, t * piece, t * piece + piece, end, document, starts, sum, nullptr, nullptr);
  count[t] = sum;
}

/// Replaces each piece's sum by that of the pieces before it in its block; whole[b]: that of block
/// b.
__global__ void sums_before(Sum* count, Sum* whole, unsigned threads) {
  __shared__ Sum sums[kBlock];
  const unsigned t = blockIdx.x * kBlock + threadIdx.x;
  const Sum own = t < threads ? count[t] : Sum{0, 0};
  Sum sum = own;  // of this piece and of those before it
  for (unsigned step = 1; step < kBlock; step *= 2) {
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x >= step) {
      sum.links += sums[threadIdx.x - step].links;
      sum.bytes += sums[threadIdx.x - step].bytes;
    }
    __syncthreads();
  }
  if (t < threads) count[t] = Sum{sum.links - own.links, sum.bytes - own.bytes};
  if (threadIdx.x == kBlock - 1) whole[blockIdx.x] = sum;
}

__global__ void write_links(const char* text, unsigned piece, unsigned end, unsigned document,
                            const char* starts, const Sum* before, const Sum* blocks_before,
                            Link* links, char* urls) {
  const unsigned t = blockIdx.x * kBlock + threadIdx.x;
  if (t * piece >= end) return;
  Sum sum = before[t];
  sum.links += blocks_before[blockIdx.x].links;
  sum.bytes += blocks_before[blockIdx.x].bytes;
  find_links(text, t * piece, t * piece + piece, end, document, starts, sum, links, urls);
}

/// Words of 2 to 9 letters; a link or another tag in every 800th place.
static std::string documents(unsigned bytes) {
  workload::Random random(1);
  std::string text;
  const auto word = [&] {
    std::string letters;
    for (unsigned n = 2 + random.below(8); n != 0; --n)
      letters += static_cast<char>('a' + random.below(26));
    return letters;
  };
  while (text.size() < bytes) {
    const unsigned what = random.below(3200);
    if (what < kKinds)
      text += '<' + (kStarts[what] + word()) + '/' + word() + "\">";
    else if (what == kKinds)
      text += "<b>";
    text += word() + ' ';
  }
  text.resize(bytes);
  return text;
}

int main(int argc, char** argv) {
  const int threads = workload::size_argument(argc, argv, 1, 1024, 1, 1 << 22);
  const int piece = workload::size_argument(argc, argv, 2, 256, 16, 512) / kTogether * kTogether;
  const int document = workload::size_argument(argc, argv, 3, 8192, 1024, 1 << 20);
  workload::no_more_arguments(argc, argv, 3);
  const unsigned end = unsigned(threads) * unsigned(piece);
  const std::string text = documents(end);
  const char* const starts = &kStarts[0][0];
  const auto find_all = [&](Link* links, char* urls) {
    Sum sum = {0, 0};
    for (unsigned from = 0; from < end; from += piece)
      find_links(text.data(), from, from + piece, end, document, starts, sum, links, urls);
    return sum;
  };
  const Sum all = find_all(nullptr, nullptr);
  std::vector<Link> links(all.links);
  std::vector<char> urls(all.bytes);
  find_all(links.data(), urls.data());

  const unsigned blocks = workload::blocks_for(threads, kBlock);
  const workload::DeviceArray<char> dtext(std::vector<char>(text.begin(), text.end()));
  const workload::DeviceArray<char> dstarts(std::vector<char>(starts, starts + sizeof kStarts));
  workload::DeviceArray<Sum> before(threads), whole(blocks);
  workload::DeviceArray<Link> dlinks(std::max<std::size_t>(1, links.size()));
  workload::DeviceArray<char> durls(std::max<std::size_t>(1, urls.size()));
  count_links<<<blocks, kBlock>>>(dtext, piece, end, document, dstarts, before);
  sums_before<<<blocks, kBlock>>>(before, whole, threads);
  std::vector<Sum> blocks_before = whole.download();
  Sum sum = {0, 0};
  for (Sum& b : blocks_before) {
    const Sum own = b;
    b = sum;
    sum.links += own.links;
    sum.bytes += own.bytes;
  }
  whole.upload(blocks_before);
  write_links<<<blocks, kBlock>>>(dtext, piece, end, document, dstarts, before, whole, dlinks,
                                  durls);
  workload::finish_kernels();

  workload::Verdict verdict;
  verdict.require(sum.links == all.links && sum.bytes == all.bytes, "the sums differ");
  auto got_urls = durls.download();
  got_urls.resize(urls.size());
  verdict.equal("urls", got_urls, urls);
  const auto got = dlinks.download();
  bool same = true;
  for (unsigned i = 0; i < all.links; ++i)
    same = same && got[i].url == links[i].url && got[i].document == links[i].document &&
           got[i].place == links[i].place;
  verdict.require(same, "the links differ");
  return verdict.done();
}
