#include "cuda.h"
class Base
{
      protected:
	int id;

      public:
	D Base(int i) : id(i) {}
	virtual D ~Base() {}
	virtual D int f(int) { return id; }
};
class Der : public Base
{
	float w;

      public:
	D     Der() : Base(3), w(2) {}
	D int f(int x) override { return x + (int)w; }
};
K void k(int *o)
{
	Der   d;
	Base *b = &d;
	*o = b->f(2);
}
