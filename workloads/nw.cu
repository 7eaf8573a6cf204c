// SPDX-License-Identifier: Apache-2.0
// nw [n = 512] [unshared = 0]: Needleman-Wunsch scores of two sequences of n symbols; tiles of
// 16 x 16 along the anti-diagonals, a launch a diagonal, a wave of threads in each tile.
//
// Stands for: Needleman-Wunsch of Rodinia.
// Memory: a tile loads rows of 16 words (half a line or two) and a column with the stride of a row
// (un-coalesced); few warps run at once. Primary misses, latency bound.
// unshared 1: the waves work in global memory (MR 5.6).
// In the papers: DL, GU, MR, BU, KI (docs/references.md).
// Measured (1328): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"
#include "common/rows.hpp"

constexpr int kTile = 16;

__host__ __device__ int most(int a, int b, int c) {
  const int ab = a > b ? a : b;
  return ab > c ? ab : c;
}

// The waves of a tile: `s` is its corner among the scores, `match` its first similarity.
template <class Scores, class Matches>
__device__ __forceinline__ void waves(Scores&& s, Matches&& match, int penalty, int t) {
  for (int wave = 0; wave < 2 * kTile - 1; ++wave) {
    const int x = t + 1, y = wave - t + 1;
    if (y >= 1 && y <= kTile)
      s[y][x] =
          most(s[y - 1][x - 1] + match[y - 1][x - 1], s[y][x - 1] - penalty, s[y - 1][x] - penalty);
    __syncthreads();
  }
}

// Tile (tx, ty) with tx + ty = diagonal; scores has n + 1 columns, its first row and column are
// given.
__global__ void nw_diagonal(const int* similarity, int* scores, int n, int penalty, int diagonal,
                            int first_x) {
  __shared__ int s[kTile + 1][kTile + 1];
  __shared__ int match[kTile][kTile];
  const int bx = first_x + blockIdx.x, by = diagonal - bx;
  const int columns = n + 1, t = threadIdx.x;
  const int corner = by * kTile * columns + bx * kTile;
  for (int y = 0; y < kTile; ++y) match[y][t] = similarity[corner + (y + 1) * columns + t + 1];
  if (t == 0) s[0][0] = scores[corner];
  s[t + 1][0] = scores[corner + (t + 1) * columns];
  s[0][t + 1] = scores[corner + t + 1];
  __syncthreads();
  waves(s, match, penalty, t);
  for (int y = 0; y < kTile; ++y) scores[corner + (y + 1) * columns + t + 1] = s[y + 1][t + 1];
}

__global__ void nw_diagonal_unshared(const int* similarity, int* scores, int n, int penalty,
                                     int diagonal, int first_x) {
  const int bx = first_x + blockIdx.x, by = diagonal - bx;
  const int columns = n + 1, corner = by * kTile * columns + bx * kTile;
  waves(Rows<int>{scores + corner, columns},
        Rows<const int>{similarity + corner + columns + 1, columns}, penalty, threadIdx.x);
}

int main(int argc, char** argv) {
  const int n = (workload::size_argument(argc, argv, 1, 512, 1, 16384) + kTile - 1) / kTile * kTile;
  const auto diagonal =
      workload::size_argument(argc, argv, 2, 0, 0, 1) != 0 ? nw_diagonal_unshared : nw_diagonal;
  workload::no_more_arguments(argc, argv, 2);
  constexpr int kPenalty = 10, kSymbols = 24;
  const int columns = n + 1;
  workload::Random random(1);
  std::vector<int> a(columns), b(columns), similarity(std::size_t(columns) * columns),
      scores(similarity.size());
  int table[kSymbols][kSymbols];
  for (int i = 0; i < kSymbols; ++i)
    for (int j = 0; j <= i; ++j)
      table[i][j] = table[j][i] = i == j ? 5 + int(random.below(5)) : int(random.below(9)) - 5;
  for (int i = 0; i < columns; ++i) {
    a[i] = static_cast<int>(random.below(kSymbols));
    b[i] = static_cast<int>(random.below(kSymbols));
    scores[i] = scores[std::size_t(i) * columns] = -i * kPenalty;
  }
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= n; ++j) similarity[std::size_t(i) * columns + j] = table[a[i]][b[j]];
  const workload::DeviceArray<int> dsimilarity(similarity), dscores(scores);

  const int tiles = n / kTile;
  for (int d = 0; d < 2 * tiles - 1; ++d) {
    const int first = d < tiles ? 0 : d - tiles + 1, last = d < tiles ? d : tiles - 1;
    diagonal<<<last - first + 1, kTile>>>(dsimilarity, dscores, n, kPenalty, d, first);
  }
  workload::finish_kernels();

  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= n; ++j) {
      const std::size_t c = std::size_t(i) * columns + j;
      scores[c] = most(scores[c - columns - 1] + similarity[c], scores[c - 1] - kPenalty,
                       scores[c - columns] - kPenalty);
    }
  workload::Verdict verdict;
  verdict.equal("scores", dscores.download(), scores);
  return verdict.done();
}
