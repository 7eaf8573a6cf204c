MemcpyHtoD,0x7f2000000000,320
MemcpyHtoD,0x7f2000100000,320
kernel-1.traceg
