MemcpyHtoD,0x7f2000000000,768
MemcpyHtoD,0x7f2000100000,8192
kernel-1.traceg
kernel-2.traceg
