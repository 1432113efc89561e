import { layCable } from './namespaces.ts';

/** For the whole run of the project `calls`. */
export default layCable;
