export {
  fileSource,
  FileSourceError,
  type FileSource,
  type FileSourceOptions,
  type ObjectPlace,
} from "./file-source.ts";
