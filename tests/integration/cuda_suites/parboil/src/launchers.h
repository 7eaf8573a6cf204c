// SPDX-License-Identifier: Apache-2.0
#ifndef LAUNCHERS_H
#define LAUNCHERS_H
#ifdef __cplusplus
extern "C" {
#endif
#define BINS 64
/* Device pointers. */
void launch_bins(const unsigned *keys, int n, unsigned *bins);
void launch_prefix(const unsigned *bins, unsigned *starts);
#ifdef __cplusplus
}
#endif
#endif
