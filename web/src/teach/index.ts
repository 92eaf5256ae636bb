// What lessons and puzzles consist of and how they are judged: no part of it needs a browser.

export * from './goals';
export * from './lesson';
export * from './ownPass';
