/** Where what is fetched or built for tests is kept, outside of the tree. */
export function cacheFolder(): string;
