// An array of structures, of different fields and alignments, becomes arrays of the fields.
struct Particle { float3 at; char kind; double mass; short charge[3]; };
extern "C" __global__ void struct_fields(const Particle *p, float *norm, double *mass, int *charge) {
	int i = threadIdx.x;
	Particle q = p[i];
	norm[i] = q.at.x * q.at.x + q.at.y * q.at.y + q.at.z * q.at.z;
	mass[i] = q.mass * q.kind;
	charge[i] = q.charge[0] + q.charge[1] * 10 + q.charge[2] * 100;
}
