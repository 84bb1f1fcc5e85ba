// Loaded into a controller before its own program: profiles it, and writes that into the folder of this file when it ends. (`--cpu-prof` may
// not be said by NODE_OPTIONS, and the image's command shall stay as it is.)

const { writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const path = require("node:path");

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.setSamplingInterval", { interval: 10_000 });
session.post("Profiler.start");
process.once("exit", () => {
  session.post("Profiler.stop", (error, result) => {
    if (error) throw error;
    writeFileSync(path.join(__dirname, `${Date.now()}.cpuprofile`), JSON.stringify(result.profile));
  });
});
