/** Tests wait for events; how long those take on a busy machine is no reason to fail. What hangs still ends. */
jest.setTimeout(240_000);
