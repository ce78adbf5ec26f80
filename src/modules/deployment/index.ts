export { beginAdoption, endAdoption, programsOn } from './adopting.js';
export { describePostgres, describeStore } from './conflicts.js';
export {
  type DeploymentDependencies,
  DeploymentRefused,
  joinAtStart,
  joinDeployment,
  type StoreDeployment,
  storeDeployment,
} from './joining.js';
export { checkpoints, noteAgreement, postgresDeployment } from './store.js';
