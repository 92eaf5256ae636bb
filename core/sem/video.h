/* video.h: the video instructions: sums, differences, averages and comparisons of words, and of two halves or
 * four bytes side by side, with saturation and a second operation. */
#ifndef PS_SEM_VIDEO_H
#define PS_SEM_VIDEO_H

#include "base/base.h"

typedef enum SemVideoOp {
	VIDEO_ADD,
	VIDEO_SUB,
	VIDEO_ABSDIFF,
	VIDEO_MIN,
	VIDEO_MAX,
	VIDEO_AVRG,
	VIDEO_SHL,
	VIDEO_SHR,
	VIDEO_EQ,
	VIDEO_NE,
	VIDEO_LT,
	VIDEO_LE,
	VIDEO_GT,
	VIDEO_GE
} SemVideoOp;

typedef enum SemVideoSecond { VIDEO_NO_SECOND, VIDEO_THEN_ADD, VIDEO_THEN_MIN, VIDEO_THEN_MAX } SemVideoSecond;

enum { /* how: SemVideoOp | SemVideoSecond << 8 | flags */
       VIDEO_SECOND_SHIFT = 8,
       VIDEO_A_SIGNED = 1 << 16,
       VIDEO_B_SIGNED = 1 << 17,
       VIDEO_D_SIGNED = 1 << 18,
       VIDEO_SAT = 1 << 19,
       VIDEO_WRAP = 1 << 20, /* shifts: by the low five bits; else 32 and more shift everything out */
       VIDEO_PLUS_ONE = 1 << 21,
       VIDEO_SHIFT_SHIFT = 24, /* vmad: the product and sum are shifted right by so many */
};

u32 sem_video(u32 how, u32 lanes, u32 a, u32 b, u32 c); /* lanes: 1, 2 or 4 */
u32 sem_vmad(u32 how, u32 a, u32 b, u32 c);

#endif
