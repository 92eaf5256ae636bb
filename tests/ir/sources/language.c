typedef int v4 __attribute__((ext_vector_type(4)));
struct S { int a; float b; char c[13]; }; 
extern int ext(struct S, double); static int tab[4]={1,2,3,4};
__attribute__((noinline)) struct S mk(int x){ struct S s={x,(float)x,{1}}; return s; }
int vf(int n, ...) { __builtin_va_list l; __builtin_va_start(l,n); int r=0; while(n--) r+=__builtin_va_arg(l,int); __builtin_va_end(l); return r; }
int sw(int x){ switch(x){case 1:return 3;case 7:return 9;case 100:return 2;default:return vf(2,x,tab[x&3]);} }
long long big(long long a,unsigned b){ __int128 t=a; t*=b; return (long long)(t>>7); }
v4 vec(v4 a,v4 b){ return a*b+(a<b); }
int at(int*p){ return __atomic_fetch_add(p,1,__ATOMIC_SEQ_CST)+__atomic_load_n(p,__ATOMIC_ACQUIRE); }
void cp(struct S*a,struct S*b){ *a=*b; __builtin_memset(b,0,sizeof *b); }
_Bool cx(int*p,int e){ return __atomic_compare_exchange_n(p,&e,3,0,__ATOMIC_ACQ_REL,__ATOMIC_RELAXED); }
void *lbl(int x){ static void*t[]={&&a,&&b}; goto *t[x&1]; a: return t; b: return 0; }
int ov(int a,int b,int*r){ return __builtin_add_overflow(a,b,r); }
double m(double x){ return __builtin_fma(x,x,1.0)+__builtin_sqrt(x)+__builtin_fabs(x); }
int use(int x){ struct S s=mk(x); return ext(s,1.0)+__builtin_popcount(x)+__builtin_clz(x|1)+__builtin_bswap32(x)+__builtin_expect(x,1); }
