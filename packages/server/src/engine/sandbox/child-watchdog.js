/*
 * A thread beside the child's own: a native loop inside user code keeps the child from noticing that its
 * channel has closed, and would otherwise outlive a service that was killed. Plain JavaScript, because a thread
 * of its own would load the type stripper a second time, in every child.
 */
const serviceProcessId = Number(process.argv[2]);
const checkEveryMs = 500;

setInterval(() => {
  if (process.ppid !== serviceProcessId) process.kill(process.pid, "SIGKILL");
}, checkEveryMs);
