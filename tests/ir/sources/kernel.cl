__kernel void k(__global float*a,__constant int*c,__local float*l,float x,int3 v){ int i=get_global_id(0); l[i]=a[i]*c[0]; barrier(CLK_LOCAL_MEM_FENCE); a[i]=l[i^1]+x+v.y; }
