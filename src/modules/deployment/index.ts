export { beginAdoption, endAdoption, programsOn } from './adopting.js';
export { describePostgres, describeStore } from './conflicts.js';
export { type DeploymentDependencies, DeploymentRefused, joinAtStart, joinDeployment } from './joining.js';
export { checkpoints } from './store.js';
