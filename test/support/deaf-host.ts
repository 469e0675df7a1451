import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const ADDRESS = '127.0.0.2';
/** More than wait to be accepted. */
const FILLERS = 8;

/** A host that answers no attempt to connect: its process stands still, and all places in its queue are taken. */
export async function startDeafHost(port: number): Promise<{ readonly address: string; stop(): void }> {
  const program = `require('net').createServer().listen(${port}, '${ADDRESS}', 1, () => console.log('listens'))`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  const sockets: Socket[] = [];
  for (let i = 0; i < FILLERS; i++) sockets.push(connect(port, ADDRESS).on('error', () => undefined));
  await once(sockets[0]!, 'connect');
  return {
    address: ADDRESS,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
