// What Prometheus reads at /metrics: counts and times by device class, never anything of a job.

import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export class Metrics {
	constructor() {
		this.registry = new Registry();
		const common = { registers: [this.registry], labelNames: ['device'] };
		this.jobs = new Counter({ ...common, name: 'ptxscope_jobs_total', help: 'Jobs that ended, by outcome', labelNames: ['device', 'outcome'] });
		this.deaths = new Counter({ ...common, name: 'ptxscope_worker_deaths_total', help: 'Processes that ended in the middle of a job' });
		this.seconds = new Histogram({ ...common, name: 'ptxscope_job_seconds', help: 'From the question to the answer', buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] });
		this.refused = new Counter({ registers: [this.registry], labelNames: ['status'], name: 'ptxscope_refused_total', help: 'Requests that were refused, by status' });
	}

	/** Reads the length of the queue when somebody asks. */
	watch(queue) {
		new Gauge({ registers: [this.registry], name: 'ptxscope_queue_length', help: 'Jobs that wait', collect() { this.set(queue.length); } });
	}
}
