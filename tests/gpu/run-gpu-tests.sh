#!/bin/sh
# run-gpu-tests.sh [COMMAND...]: runs the tests of the bundle that it lies in on this machine's GPU,
# each under COMMAND where one is given, $JOBS at once, those alone whose names match the pattern
# $ONLY (of grep -E), and prints the tally.  For instance
#     ONLY=gufunc ./run-gpu-tests.sh compute-sanitizer --target-processes all --error-exitcode 1
# The file report tells how long each took.  Not among them, for they take minutes:
#     build/num/float32 1 v4,cuda             all 2^32 inputs: the table tests/num/float32.txt
#     build/num/accuracy 1000000 cuda,v4      a million inputs a function
# `make gpu-bundle` makes the bundle.
cd "$(dirname "$0")" || exit 1
ROOT=$PWD # in the list
wrapper=$*
JOBS=${JOBS:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# test_case NAME SECONDS COMMAND...: if no other worker has taken it
test_case() {
    under=$wrapper
    case $1 in
    */build | */build-*) # programs that other tests run
        [ "$worker" = builds ] || return
        under=
        ;;
    *)
        [ "$worker" != builds ] || return
        echo "$1" | grep -Eq "${ONLY:-.}" || return
        case $1 in
        gpu/* | rt/*) ;;
        *) until [ -e "$work/done.builds" ]; do sleep 1; done ;;
        esac
        ;;
    esac
    mkdir "$work/taken.$(echo "$1" | tr / .)" 2>/dev/null || return
    name=$1 seconds=${2%.*}
    [ -z "$wrapper" ] || seconds=$((10 * seconds)) # a checker takes its time
    shift 2
    echo "running: $name"
    begin=$(date +%s)
    # shellcheck disable=SC2086
    timeout "$seconds" $under "$@" >"$log" 2>&1 </dev/null
    case $? in
    0) echo "passed: $name ($(($(date +%s) - begin)) s)" ;;
    77) echo "skipped: $name: $(tail -n 1 "$log")" ;;
    *)
        echo "failed: $name"
        sed 's/^/    /' "$log"
        ;;
    esac
}

# What does not pass is said at once.
run_list() {
    worker=$1 log=$work/log.$1
    . ./gpu-tests.list | tee -a report | grep --line-buffered -Ev '^(running|passed): '
    : >"$work/done.$worker"
}

count() { grep -c "^$1: " report; }
tally() { echo "$(count passed) passed, $(count failed) failed, $(count skipped) skipped"; }
trap 'echo "stopped after $(count running) begun"; tally; exit 1' INT TERM

: >report
run_list builds &
worker=0
while [ "$worker" -lt "$JOBS" ]; do
    run_list "$worker" &
    worker=$((worker + 1))
done
wait
tally
[ "$(count failed)" = 0 ] && [ "$(count passed)" != 0 ]
