// A gateway out of a folder of YAML, in a program of your own. Saved as library.mjs:  node library.mjs FOLDER
import { createController, embeddedDriver, fileSource } from "gatewright";

const driver = embeddedDriver();
const controller = createController({
  source: fileSource({ paths: [process.argv[2] ?? "."] }),
  driver,
  events: {
    problems: (problems) =>
      problems.forEach(({ origin, line, object, field, message }) =>
        console.error([origin, line, object, field, message].filter(Boolean).join(": ")),
      ),
  },
});
await controller.start();
for (const { gateway, addresses } of driver.describe().listeners)
  console.log(gateway, "listens on", addresses);
process.once("SIGINT", () => void controller.stop());
