#!/bin/bash
# A scheduler and 64 workers as a job of Slurm: sbatch slurm.sh COMMAND, as in
#   sbatch slurm.sh run mygrid.yaml --games 1G -o results.json
# The working directory must be shared by all nodes, and hardmode[cluster] be installed there.
#SBATCH --ntasks=66
#SBATCH --cpus-per-task=1
#SBATCH --time=04:00:00
set -euo pipefail

file="$PWD/scheduler-${SLURM_JOB_ID}.json"
workers=$((SLURM_NTASKS - 2)) # one task is the scheduler, and one this command
trap 'rm -f "$file"; kill $(jobs -p) 2>/dev/null || true' EXIT

srun --ntasks=1 --exact dask scheduler --scheduler-file "$file" --port 0 --no-dashboard &
srun --ntasks="$workers" --exact dask worker --scheduler-file "$file" --nthreads 1 --no-dashboard &
until [ -s "$file" ]; do sleep 1; done
hardmode "$@" --cluster "$file"
