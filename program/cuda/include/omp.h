// SPDX-License-Identifier: Apache-2.0
// OpenMP's functions for the host part of a program, which runs on one thread. The linker finds
// them in GCC's library when -fopenmp is given.
#ifndef WARPMEM_OMP_H
#define WARPMEM_OMP_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  unsigned char opaque[4];
} omp_lock_t;

double omp_get_wtime(void);
double omp_get_wtick(void);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_num_threads(int threads);
void omp_set_dynamic(int dynamic);
void omp_set_nested(int nested);
void omp_init_lock(omp_lock_t* lock);
void omp_destroy_lock(omp_lock_t* lock);
void omp_set_lock(omp_lock_t* lock);
void omp_unset_lock(omp_lock_t* lock);

#ifdef __cplusplus
}
#endif

#endif
