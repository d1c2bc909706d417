# shellcheck shell=bash
# Runs the stages of ./test one after the other and adds up what they came to.
# A stage is a function `stage_NAME`. It runs in a shell of its own with its output in a log,
# which is shown if the stage fails. It ends by `skip` if something it needs is not there.

readonly SKIPPED=77
readonly LOGS=$TARGET/test-logs
passed=0 failed=0 skipped=0
summary=()

# Ends the stage that calls it as not run.
skip() {
  printf '%s\n' "$*" >"$LOGS/reason"
  exit "$SKIPPED"
}

# The sum of the numbers before the word $3 in those lines of $1 that match $2.
count() {
  awk -v lines="$2" -v word="^$3[;,]?$" '
    $0 ~ lines { for (i = 2; i <= NF; i++) if ($i ~ word) sum += $(i - 1) }
    END { print sum + 0 }' "$1"
}

# Adds what a stage of tests came to: cargo's and conformance's last lines.
count_tests() {
  local log=$1 lines=$2 more_passed more_failed more_skipped
  more_passed=$(count "$log" "$lines" passed)
  more_failed=$(count "$log" "$lines" failed)
  more_skipped=$(($(count "$log" "$lines" skipped) + $(count "$log" "$lines" ignored)))
  if ((status != 0 && more_failed == 0)); then
    more_failed=1
  elif ((more_passed + more_failed == 0)); then
    more_failed=1
    say "No test ran." >>"$log"
  fi
  passed=$((passed + more_passed)) failed=$((failed + more_failed)) skipped=$((skipped + more_skipped))
  outcome="$more_passed passed, $more_failed failed, $more_skipped skipped"
  ((more_failed == 0)) || status=1
}

# Adds what a stage came to that either holds or does not.
count_check() {
  if ((status == 0)); then
    passed=$((passed + 1)) outcome=passed
  else
    failed=$((failed + 1)) outcome=failed
  fi
}

# Runs the stage $1. $2 says how it counts: as one `check`, by `cargo`'s lines or by `cases`.
run_stage() {
  local name=$1 kind=$2 log=$LOGS/$1.log status=0 outcome='' began=$SECONDS
  say "── $name: $(describe "$name") …"
  set +e # bash does not stop at a failure inside a command whose status is asked for
  (set -e; "stage_${name//-/_}") >"$log" 2>&1
  status=$?
  set -e
  if ((status == SKIPPED)); then
    skipped=$((skipped + 1)) outcome="skipped: $(<"$LOGS/reason")"
  elif [[ $kind == check ]]; then
    count_check
  elif [[ $kind == cargo ]]; then
    count_tests "$log" '^test result:'
  else
    count_tests "$log" '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$'
  fi
  if ((status != 0 && status != SKIPPED)); then
    cat "$log"
  else
    grep -E '^(note|skipped|SKIPPED) ' "$log" || true
  fi
  outcome="$outcome, $((SECONDS - began)) s"
  say "   $name: $outcome"
  summary+=("$(printf '%-14s %s' "$name" "$outcome")")
}

# Says what all stages came to, in one last line.
finish() {
  say ""
  printf '%s\n' "${summary[@]}"
  say "$passed passed, $failed failed, $skipped skipped"
  ((failed == 0))
}
