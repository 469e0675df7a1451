/** Jest has a hundred calls noted in each error, and each `expect` makes one, before it knows whether there is a fault. */
Error.stackTraceLimit = 20;
