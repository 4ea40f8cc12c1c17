#!/bin/sh
# run-gpu-tests.sh [COMMAND...]: runs the tests of the bundle that it lies in on this machine's GPU,
# each under COMMAND where one is given, and prints the tally.  For instance
#     ./run-gpu-tests.sh compute-sanitizer --target-processes all --error-exitcode 1
# `make gpu-bundle` makes the bundle.
cd "$(dirname "$0")" || exit 1
ROOT=$PWD # in the list
wrapper=$* passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# test_case NAME SECONDS COMMAND...
test_case() {
    name=$1 seconds=$2
    shift 2
    # shellcheck disable=SC2086
    timeout "${seconds%.*}" $wrapper "$@" >"$log" 2>&1 </dev/null
    case $? in
    0) passed=$((passed + 1)) ;;
    77)
        skipped=$((skipped + 1))
        echo "skipped: $name: $(tail -n 1 "$log")"
        ;;
    *)
        failed=$((failed + 1))
        echo "failed: $name"
        sed 's/^/    /' "$log"
        ;;
    esac
}

. ./gpu-tests.list
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
