// SPDX-License-Identifier: Apache-2.0
// Functions whose control flow depends on the thread. clang-14 compiles them for the interpreter,
// the host compiler for the expected values (ptx_divergence_test.cpp); FN is the function attribute
// of either. A seed selects the data.
#pragma once

FN unsigned mix(unsigned v) {
  v ^= v >> 16;
  v *= 0x7feb352du;
  v ^= v >> 15;
  v *= 0x846ca68bu;
  return v ^ (v >> 16);
}

FN unsigned nested_loops(unsigned t) {
  unsigned sum = 0;
  for (unsigned i = 0; i < (t & 7) + 1; ++i) {
    for (unsigned j = 0; j < (mix(t + i) & 7); ++j) {
      if ((mix(i * 31 + j + t) & 15) == 3) break;
      if ((i + j + t) % 3 == 0) continue;
      sum = sum * 3 + i + j;
    }
    if (sum > 5000) break;
    sum += i;
  }
  return sum;
}

FN unsigned early_returns(unsigned t) {
  unsigned r = mix(t);
  if (r & 1) {
    if (r & 2) return r ^ 17;
    r += 5;
    if (r & 4) {
      if ((r & 24) == 8) return r * 3;
      r ^= 0x55;
    }
    r += mix(r);
  }
  while (r > 100) {
    if ((r & 63) == 7) return r + t;
    r = r / 3 + (t & 3);
  }
  return r * 2 + 1;
}

FN unsigned switch_in_loop(unsigned t) {
  unsigned state = t % 11, r = t;
  for (unsigned step = 0; step < 40; ++step) {
    switch (state) {
      case 0:
        r += 1;
        state = 3;
        break;
      case 1:
        r ^= step;
        state = (r & 1) ? 4 : 6;
        break;
      case 2:
        if (r % 5 == 0) return r;
        state = 1;
        break;
      case 3:
        r *= 5;
        state = mix(r) % 9;
        continue;
      case 4:
        r -= 7;  // fall through
      case 5:
        r = mix(r + state);
        state = r % 11;
        break;
      case 6:
        state = 0;
        break;
      case 7:
        goto out;
      case 8:
        r += step * step;
        state = (r >> 3) % 11;
        break;
      default:
        r = r / 2 + 9;
        state = (state + r) % 7;
        break;
    }
    if ((r & 0xfff) == 0x123) break;
  }
out:
  return r + state;
}

FN unsigned collatz(unsigned t) {
  unsigned long long v = t + 1;
  unsigned steps = 0;
  while (v != 1) {
    v = (v & 1) ? 3 * v + 1 : v / 2;
    ++steps;
  }
  return steps;
}

FN unsigned loop_with_three_exits(unsigned t) {
  unsigned a = t, n = 0;
  for (;;) {
    a = mix(a + n);
    if ((a & 31) == 1) {
      n += 1000;
      break;
    }
    if ((a & 31) == 2) goto second;
    if (++n == 50) return 77;
    for (unsigned k = 0; k < (a & 3); ++k) {
      if ((mix(k + a) & 63) == 5) goto second;
      a += k;
    }
  }
  return n + a % 13;
second:
  n += 2000;
  if (a & 64) n ^= a;
  return n;
}

__attribute__((noinline)) FN unsigned gcd(unsigned a, unsigned b) {
  return b == 0 ? a : gcd(b, a % b);
}

__attribute__((noinline)) FN unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

struct Pair {
  unsigned first, second;
  unsigned history[6];
};
__attribute__((noinline)) FN Pair step_pair(Pair p, unsigned t) {
  if (t & 1) {
    p.first += p.second;
    if (p.first & 4) return p;
  } else {
    p.second ^= p.first;
  }
  p.history[t % 6] += p.first;
  return p;
}

FN unsigned calls(unsigned t) {
  unsigned r = gcd(mix(t) % 1000, mix(t + 1) % 1000 + 1) + ackermann(1 + (t & 1), t % 4);
  Pair p = {t, r, {1, 2, 3, 4, 5, 6}};
  for (unsigned i = 0; i < t % 5 + 2; ++i) p = step_pair(p, mix(i + t));
  for (unsigned i = 0; i < 6; ++i) r = r * 7 + p.history[i];
  return r + p.first * 3 + p.second;
}

FN unsigned short_circuit(unsigned t) {
  const unsigned a = mix(t), b = mix(a), c = mix(b);
  unsigned r = 0;
  if (((a & 1) && (b & 1)) || ((c & 1) && ((a & 2) || (b & 2)))) r += 1;
  if (!(a & 4) && ((b & 4) ? (c & 4) : (c & 8))) r += 2;
  unsigned i = 0;
  while ((a >> i & 1) && (b >> i & 1 || c >> i & 1)) ++i;
  do {
    r = r * 5 + i;
    if (r & 8) {
      ++i;
      continue;
    }
    i += 2;
  } while (i < (c & 15));
  return r;
}

/// Sorts in an array that the compiler keeps in local memory.
FN unsigned local_sort(unsigned t) {
  unsigned v[16];
  for (unsigned i = 0; i < 16; ++i) v[i] = mix(t * 16 + i) & 255;
  const unsigned n = 4 + t % 13;
  for (unsigned i = 1; i < n; ++i) {
    unsigned j = i;
    const unsigned x = v[i];
    while (j > 0 && v[j - 1] > x) {
      v[j] = v[j - 1];
      --j;
    }
    v[j] = x;
  }
  unsigned r = 0;
  for (unsigned i = 0; i < n; ++i) r = r * 31 + v[i];
  return r;
}

// Function pointers and virtual functions. The choice depends on the thread, and so does the depth.
struct Rule {
  FN virtual unsigned apply(unsigned v, unsigned depth) const = 0;
};
struct Add : Rule {
  unsigned n;
  FN explicit Add(unsigned of) : n(of) {}
  FN unsigned apply(unsigned v, unsigned) const override { return v + n; }
};
struct Twice : Rule {
  const Rule *even, *odd;
  FN Twice(const Rule* e, const Rule* o) : even(e), odd(o) {}
  FN unsigned apply(unsigned v, unsigned depth) const override {
    if (depth == 0) return v * 3;
    const Rule& next = v % 2 == 0 ? *even : *odd;
    const unsigned once = next.apply(v, depth - 1);
    return next.apply(mix(once), depth - 1) + (once & 1 ? apply(once, depth - 1) : 5);
  }
};
typedef unsigned (*Step)(unsigned);
__attribute__((noinline)) FN unsigned halve(unsigned v) { return v / 2; }
__attribute__((noinline)) FN unsigned triple(unsigned v) { return 3 * v + 1; }

FN unsigned through_pointers(unsigned t) {
  const Step steps[4] = {halve, triple, mix, halve};
  unsigned v = t + 1;
  for (unsigned i = 0; i < t % 7 + 1; ++i) v = steps[(v >> i) % 4](v);
  const Add add(t);
  const Twice leaf(&add, &add), tree(&leaf, &add), root(&add, &tree);
  const Rule* const rules[3] = {&add, &tree, &root};
  return rules[t % 3]->apply(v, 2 + t % 2);
}
