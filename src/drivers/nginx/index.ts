export {
  nginxDriver,
  type NginxDescription,
  type NginxDriver,
  type NginxListenerDescription,
} from "./driver.ts";
export type { NginxOptions } from "./options.ts";
