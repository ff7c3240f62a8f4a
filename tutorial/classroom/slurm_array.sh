#!/usr/bin/env bash
# Grade a class in 20 parts with SLURM, and put the parts together:
#   python -c 'import secrets; print(secrets.token_hex(32))' > secret.txt
#   sbatch --array=1-20 slurm_array.sh class secret.txt parts
#   python -m tutorial teach merge parts/*.jsonl -o results.jsonl
# If a task is killed, submit its number again: it goes on where it was.
#SBATCH --job-name=grade
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=02:00:00
set -euo pipefail
class=$1 secret=$2 parts=$3
part=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN + 1)) # parts begin at 1, whatever the array begins at
test -s "$secret"                                        # otherwise each task would make a secret of its own
mkdir -p "$parts"
python -m tutorial teach grade "$class" --shard "$part/$SLURM_ARRAY_TASK_COUNT" --secret-file "$secret" -o "$parts/$part.jsonl"
