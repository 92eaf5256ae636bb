/* sem/int: against 128-bit host arithmetic, and vectors worked by hand from the PTX manual's text. */
#include "unit.h"

#include "base/hash.h"
#include "sem/int.h"

typedef unsigned __int128 host128;

static host128 to_host(SemU128 v) { return (host128)v.hi << 64 | v.lo; }
static SemU128 of_host(host128 v) { return u128((u64)(v >> 64), (u64)v); }

TEST(sem_int, wide_arithmetic)
{
	for (u64 i = 0; i < 20000 && unit_failures < 5; i++) {
		u32     sa = (u32)(hash_u64(5 * i) % 128), sb = (u32)(hash_u64(5 * i + 1) % 128);
		host128 a = to_host(u128(hash_u64(5 * i + 2), hash_u64(5 * i + 3))) >> sa;
		host128 b = to_host(u128(hash_u64(5 * i + 4), hash_u64(7 * i))) >> sb;
		SemU128 x = of_host(a), y = of_host(b), rem;
		EXPECT(to_host(u128_add(x, y)) == a + b);
		EXPECT(to_host(u128_sub(x, y)) == a - b);
		EXPECT(to_host(u128_mul(x, y)) == a * b);
		EXPECT(to_host(u128_shl(x, sb)) == a << sb);
		EXPECT(to_host(u128_shr(x, sb)) == a >> sb);
		EXPECT(to_host(u128_sar(x, sb)) == (host128)((__int128)a >> sb));
		EXPECT(u128_slt(x, y) == ((__int128)a < (__int128)b));
		if (b) {
			EXPECT(to_host(u128_divrem(x, y, &rem)) == a / b);
			EXPECT(to_host(rem) == a % b);
			EXPECT(to_host(u128_sdivrem(x, y, &rem)) == (host128)((__int128)a / (__int128)b));
			EXPECT(to_host(rem) == (host128)((__int128)a % (__int128)b));
		}
		bool exact;
		u64  root = u128_sqrt(x, &exact);
		EXPECT((host128)root * root <= a);
		EXPECT(root == ~(u64)0 || (host128)(root + 1) * (root + 1) > a);
		EXPECT(exact == ((host128)root * root == a));
	}
}

TEST(sem_int, every_width)
{
	for (u32 w = 1; w <= 64; w++)
		for (u64 i = 0; i < 400 && unit_failures < 5; i++) {
			u64 a = sem_zext(hash_u64(2 * i) >> (i % 7 * 9), w), b = sem_zext(hash_u64(2 * i + 1) >> (i % 5 * 12), w);
			__int128 sa = sem_sext(a, w), sb = sem_sext(b, w), top = (__int128)sem_smax(w), low = -top - 1;
			EXPECT_EQ(sem_sadd_overflows(w, a, b), sa + sb > top || sa + sb < low);
			EXPECT_EQ(sem_ssub_overflows(w, a, b), sa - sb > top || sa - sb < low);
			EXPECT_EQ(sem_smul_overflows(w, a, b), sa * sb > top || sa * sb < low);
			EXPECT_EQ(sem_uadd_overflows(w, a, b), (host128)a + b > sem_mask(w));
			EXPECT_EQ(sem_umul_overflows(w, a, b), (host128)a * b > sem_mask(w));
			EXPECT_EQ(sem_smulhi(w, a, b), sem_zext((u64)((sa * sb) >> w), w));
			EXPECT_EQ(sem_umulhi(w, a, b), sem_zext((u64)((host128)a * b >> w), w));
			u32     carry = (u32)i & 1, borrow = carry;
			host128 sum = (host128)a + b + carry;
			EXPECT_EQ(sem_addc(w, a, b, &carry), sem_zext((u64)sum, w));
			EXPECT_EQ(carry, sum > sem_mask(w));
			bool out = (host128)b + borrow > a;
			u64  want = sem_zext(a - b - borrow, w);
			EXPECT_EQ(sem_subc(w, a, b, &borrow), want);
			EXPECT_EQ(borrow, out);
			if (sem_sdiv_defined(w, a, b)) {
				EXPECT_EQ(sem_sdiv(w, a, b), sem_zext((u64)(sa / sb), w));
				EXPECT_EQ(sem_srem(w, a, b), sem_zext((u64)(sa % sb), w));
			}
			EXPECT_EQ(sem_brev(w, sem_brev(w, a)), a);
			EXPECT_EQ(sem_icmp(SEM_LT, w, true, a, b), sa < sb);
			EXPECT_EQ(sem_icmp(SEM_GE, w, false, a, b), a >= b);
			EXPECT_EQ(sem_icmp(SEM_HI, w, true, a, b), a > b);
			EXPECT_EQ(sem_clamp_s(w, of_host((host128)(sa * 3))), sem_zext((u64)(sa * 3 > top   ? top
			                                                                     : sa * 3 < low ? low
			                                                                                    : sa * 3),
			                                                               w));
		}
}

TEST(sem_int, division_edges)
{
	EXPECT_EQ(sem_udiv(32, 7, 0), 0xffffffffu);
	EXPECT_EQ(sem_urem(7, 0), 7);
	EXPECT_EQ(sem_sdiv(32, 0x80000000u, 0xffffffffu), 0x80000000u);
	EXPECT_EQ(sem_srem(32, 0x80000000u, 0xffffffffu), 0);
	EXPECT_EQ(sem_sdiv(64, (u64)1 << 63, ~(u64)0), (u64)1 << 63);
	EXPECT_EQ(sem_sdiv(32, (u32)-7, 2), (u32)-3);
	EXPECT_EQ(sem_srem(32, (u32)-7, 2), (u32)-1);
}

TEST(sem_int, shifts)
{
	EXPECT_EQ(sem_shl(32, 1, 32), 0);
	EXPECT_EQ(sem_shl(32, 1, 31), 0x80000000u);
	EXPECT_EQ(sem_ashr(32, 0x80000000u, 40), 0xffffffffu);
	EXPECT_EQ(sem_ashr(16, 0x8000, 15), 0xffff);
	EXPECT_EQ(sem_ashr(64, (u64)1 << 63, 64), ~(u64)0);
	EXPECT_EQ(sem_lshr(64, ~(u64)0, 63), 1);
	EXPECT_EQ(sem_shf_l(0x89abcdef, 0x01234567, 8, true), 0x23456789u);
	EXPECT_EQ(sem_shf_l(0x89abcdef, 0x01234567, 32, true), 0x01234567u);
	EXPECT_EQ(sem_shf_l(0x89abcdef, 0x01234567, 40, false), 0x89abcdefu);
	EXPECT_EQ(sem_shf_r(0x89abcdef, 0x01234567, 8, true), 0x6789abcdu);
	EXPECT_EQ(sem_shf_r(0x89abcdef, 0x01234567, 33, false), 0x01234567u);
	EXPECT_EQ(sem_fshl(8, 0x81, 0xff, 9), 0x03);
	EXPECT_EQ(sem_fshr(8, 0x01, 0x80, 1), 0xc0);
	EXPECT_EQ(sem_sshl_sat(8, 0x40, 1), 0x7f);
	EXPECT_EQ(sem_ushl_sat(8, 0x81, 1), 0xff);
	EXPECT_EQ(sem_sshl_sat(8, 0, 9), 0);
}

TEST(sem_int, bit_fields)
{
	EXPECT_EQ(sem_bfe_u(32, 0xabcd1234u, 8, 8), 0x12);
	EXPECT_EQ(sem_bfe_s(32, 0x0000f000u, 8, 8), 0xfffffff0u);
	EXPECT_EQ(sem_bfe_s(32, 0x80000000u, 28, 16), 0xfffffff8u);
	EXPECT_EQ(sem_bfe_s(32, 0x80000000u, 40, 4), 0xffffffffu);
	EXPECT_EQ(sem_bfe_u(32, 0x80000000u, 40, 4), 0);
	EXPECT_EQ(sem_bfe_s(32, 0xffffffffu, 0, 0), 0);
	EXPECT_EQ(sem_bfe_u(64, ~(u64)0, 0, 64), ~(u64)0);
	EXPECT_EQ(sem_bfi(32, 0xff, 0, 4, 4), 0xf0);
	EXPECT_EQ(sem_bfi(32, 0xff, 0x12345678u, 32, 4), 0x12345678u);
	EXPECT_EQ(sem_bfi(32, 0xff, 0, 28, 8), 0xf0000000u);
	EXPECT_EQ(sem_bfind(32, 0x00010000u, false, false), 16);
	EXPECT_EQ(sem_bfind(32, 0x00010000u, false, true), 15);
	EXPECT_EQ(sem_bfind(32, 0xffff0000u, true, false), 15);
	EXPECT_EQ(sem_bfind(32, 0xffffffffu, true, false), 0xffffffffu);
	EXPECT_EQ(sem_bfind(64, (u64)1 << 40, false, false), 40);
	EXPECT_EQ(sem_clz(32, 0), 32);
	EXPECT_EQ(sem_clz(16, 1), 15);
	EXPECT_EQ(sem_ctz(32, 8), 3);
	EXPECT_EQ(sem_popc(0xf0f0f0f0f0f0f0f0u), 32);
	EXPECT_EQ(sem_fns(0xaaaaaaaau, 3, 1), 3);
	EXPECT_EQ(sem_fns(0xaaaaaaaau, 3, (u32)-1), 3);
	EXPECT_EQ(sem_fns(0xaaaaaaaau, 3, 2), 5);
	EXPECT_EQ(sem_fns(0xaaaaaaaau, 3, (u32)-2), 1);
	EXPECT_EQ(sem_fns(0xaaaaaaaau, 3, 0), 3);
	EXPECT_EQ(sem_fns(0xaaaaaaaau, 2, 0), 0xffffffffu);
	EXPECT_EQ(sem_szext(0x80, 8, true, false), 0xffffff80u);
	EXPECT_EQ(sem_szext(0xff80, 8, false, false), 0x80);
	EXPECT_EQ(sem_szext(0x12345678u, 40, true, false), 0x12345678u);
	EXPECT_EQ(sem_bmsk(8, 8, false), 0xff00);
	EXPECT_EQ(sem_bmsk(40, 8, false), 0);
	EXPECT_EQ(sem_bmsk(33, 1, true), 2);
	EXPECT_EQ(sem_bswap(32, 0x12345678u), 0x78563412u);
}

TEST(sem_int, logic_and_permutation)
{
	u64 x = 0xf0f0ccaau, y = 0x12345678u, z = 0x0f1e2d3cu;
	EXPECT_EQ((u32)sem_lop3(x, y, z, 0xe8), (u32)((x & y) | (y & z) | (x & z)));
	EXPECT_EQ((u32)sem_lop3(x, y, z, 0x96), (u32)(x ^ y ^ z));
	EXPECT_EQ((u32)sem_lop3(x, y, z, 0x1e), (u32)(x ^ (y | z)));
	EXPECT_EQ(sem_prmt(0x33221100u, 0x77665544u, 0x7531, SEM_PRMT), 0x77553311u);
	EXPECT_EQ(sem_prmt(0x80221100u, 0, 0xb3b3, SEM_PRMT), 0xff80ff80u);
	EXPECT_EQ(sem_prmt(0x33221100u, 0x77665544u, 1, SEM_PRMT_F4E), 0x44332211u);
	EXPECT_EQ(sem_prmt(0x33221100u, 0x77665544u, 1, SEM_PRMT_B4E), 0x66770011u);
	EXPECT_EQ(sem_prmt(0x33221100u, 0x77665544u, 2, SEM_PRMT_RC8), 0x22222222u);
	EXPECT_EQ(sem_prmt(0x33221100u, 0x77665544u, 2, SEM_PRMT_ECL), 0x33222222u);
	EXPECT_EQ(sem_prmt(0x33221100u, 0x77665544u, 1, SEM_PRMT_ECR), 0x11111100u);
	EXPECT_EQ(sem_prmt(0x33221100u, 0x77665544u, 1, SEM_PRMT_RC16), 0x33223322u);
}

TEST(sem_int, dot_products)
{
	EXPECT_EQ(sem_dp4a(0x01020304u, 0x01010101u, 5, false, false), 15);
	EXPECT_EQ(sem_dp4a(0xff020304u, 0x01010101u, 0, true, true), 8);
	EXPECT_EQ(sem_dp4a(0xff000000u, 0xff000000u, 0, false, true), (u32)-255);
	EXPECT_EQ(sem_dp2a(0x00020003u, 0x04050607u, 1, false, false, false), 1 + 3 * 7 + 2 * 6);
	EXPECT_EQ(sem_dp2a(0x00020003u, 0x04050607u, 1, false, false, true), 1 + 3 * 5 + 2 * 4);
	EXPECT_EQ(sem_dp2a(0xffff0001u, 0x00000201u, 0, true, true, false), (u32)-1);
}

TEST(sem_int, odd_products)
{
	EXPECT_EQ(sem_umul24(0xff000002u, 3, false), 6);
	EXPECT_EQ(sem_smul24(0x00ffffffu, 3, false), (u32)-3);
	EXPECT_EQ(sem_umul24(0x00ffffffu, 0x00ffffffu, true), 0xfffffe00u);
	EXPECT_EQ(sem_smulwide(16, 0xffff, 2), 0xfffffffeu);
	EXPECT_EQ(sem_usad(32, 3, 10, 1), 8);
	EXPECT_EQ(sem_ssad(32, (u32)-3, 4, 1), 8);
}

UNIT_MAIN
