// Where the texts and launches of the examples are: a name for every file, which the start page does without.

export const exampleFiles = import.meta.glob<string>(['../../examples/*.ll', '../../examples/*.cu', '../../examples/programs/*.cu', '../../examples/lessons/*.ll'], { query: '?url', import: 'default', eager: true });
export const launchFiles = import.meta.glob<string>(['../../examples/*.launch.json', '../../examples/lessons/*.launch.json'], { query: '?url', import: 'default', eager: true });
