// As for `require`, so that a program which does both has one class of errors.
import code from "./node.cjs";

export const { Gridmill, GridmillError, gridmill, load, loadSync } = code;
