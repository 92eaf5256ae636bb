template<class T> struct V { T d[4]; T& operator[](int i){return d[i];} virtual ~V(){} virtual T sum(){T s=0; for(auto x:d) s+=x; return s;} };
struct B : V<float> { float sum() override { return V<float>::sum()*2; } };
inline int cnt(){ static int c=0; return ++c; }
#ifdef __x86_64__
thread_local int tl; int gt(){return tl++;}
#endif
float go(B&b,int n){ auto f=[&](int k){return b[k&3]+n;}; return f(n)+b.sum()+cnt(); }
template struct V<double>; B gb; enum class E:short{A,B}; int sw(E e){ return e==E::A?1:2; }
struct Bit { unsigned a:3,b:9; long long c:40; }; int bf(Bit&x){ x.a=3; x.c+=1; return x.b; }
int rec(int n){ return n<2?n:rec(n-1)+rec(n-2); }
