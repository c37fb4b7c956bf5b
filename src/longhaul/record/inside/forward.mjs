// Loaded into pi before its own code: connections to this loopback port go out by the one Unix
// socket that is bound into the sandbox. No process of its own, so `ps` shows nothing but pi.
import net from "node:net";

const SOCKET = "/opt/model/model.sock";
const PORT = 8000;

function forward(inner) {
	const outer = net.connect(SOCKET);
	inner.on("error", () => outer.destroy());
	outer.on("error", () => inner.destroy());
	inner.pipe(outer).pipe(inner);
}

const server = net.createServer(forward);
await new Promise((ready) => server.listen(PORT, "127.0.0.1", ready));
server.unref();
