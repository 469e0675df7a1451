'use strict';

/**
 * Opens thousands of connections at once to the port it is sent, closes each when it is there, and begins anew, in a process of its own.
 * Goes on until its parent disconnects, and answers `count` with how many were taken so far.
 */
const net = require('node:net');

const AT_ONCE = 3000;
let taken = 0;

process.on('message', (message) => {
  if (message === 'count') process.send(taken);
  else for (let i = 0; i < AT_ONCE; i++) open(message);
});
process.on('disconnect', () => process.exit(0));

function open(port) {
  const socket = net.connect({ port, host: '127.0.0.1' }, () => {
    taken += 1;
    socket.resetAndDestroy();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => setImmediate(open, port));
}
