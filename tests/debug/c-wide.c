_Complex float cf;
int            g(long double ld, __int128 i, _Complex double c)
{
	int x = (int)ld;
	{
		int x = 2;
		{
			int x = 3;
			cf = x;
		}
	}
	return x + (int)i;
}
