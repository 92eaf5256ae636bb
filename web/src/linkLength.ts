/** Lengths from which links get lost: in chat and mail, and in browsers and servers. */
export const chatLength = 2000, serverLength = 8000;
