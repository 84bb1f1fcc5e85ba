export { fileSource, FileSourceError, type FileSource, type FileSourceOptions } from "./file-source.ts";
