import pytest

from weir.core.option import Option
from weir.core.schema import Benchmark, Schema
from weir.errors import WeirError
from weir.study.launch_settings import Variable, variables_of
from weir.study.load import Study, is_own, load_study, own_studies, parse_study
from weir.study.reach import check_allowed

NOTHING = Schema("1")


def study(more: str) -> Study:
    return parse_study(f'[study]\nname = "s"\n{more}', "s.toml")


@pytest.mark.parametrize(
    "name",
    [
        "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "ld_preload", "DYLD_INSERT_LIBRARIES",
        "GLIBC_TUNABLES", "PATH", "PYTHONPATH", "PYTHONSTARTUP", "PERL5LIB", "BASH_ENV", "ENV", "HOME",
        "XDG_CONFIG_HOME", "HDF5_PLUGIN_PATH", "HDF5_PLUGIN_PRELOAD", "HDF5_VOL_CONNECTOR", "HDF5_DRIVER",
        "OMPI_MCA_mca_base_component_path", "OMPI_MCA_mca_base_env_list", "OMPI_MCA_plm_rsh_agent",
        "OMPI_MCA_orte_launch_agent", "OMPI_MCA_pmix", "OMPI_ALLOW_RUN_AS_ROOT", "OPAL_PREFIX",
        "PMIX_MCA_mca_base_component_path", "PRTE_MCA_plm_ssh_agent", "ORTE_X", "HYDRA_LAUNCHER_EXEC",
        "I_MPI_PMI_LIBRARY", "I_MPI_HYDRA_BOOTSTRAP_EXEC", "UCX_MODULE_DIR", "FI_PROVIDER_PATH",
        "NCCL_NET_PLUGIN", "CUDA_INJECTION64_PATH", "WEIR_TRACE_LIBRARY", "OMPI_MCA_iox",
        "OMPI_MCA_io_component_path", "PETSC_OPTIONS", "UCX_LOG_FILE", "UCX_STATS_DEST", "TMPDIR",
        "OMPI_MCA_mpi_show_mca_params_file", "OMPI_MCA_coll_tuned_dynamic_rules_filename", "MALLOC_TRACE",
    ],
)  # fmt: skip
def test_what_can_load_code(name: str) -> None:
    assert Variable(name, "x").loads_code


@pytest.mark.parametrize(
    "name",
    [
        "OMPI_MCA_io", "OMPI_MCA_io_ompio_num_aggregators", "OMPI_MCA_btl", "OMPI_MCA_fcoll",
        "OMPI_MCA_mpi_yield_when_idle", "OMP_NUM_THREADS", "ROMIO_HINTS", "MPICH_MPIIO_HINTS", "UCX_TLS",
        "HDF5_USE_FILE_LOCKING", "MPIR_CVAR_CH4_SHM",
    ],
)  # fmt: skip
def test_what_only_chooses_or_tunes(name: str) -> None:
    assert not Variable(name, "x").loads_code


def test_settings_are_found_wherever_a_study_can_have_them() -> None:
    text = """[fixed]
        env = { A = "1" }
        [[comparison]]
        name = "one"
        fixed = { env = { LD_PRELOAD = "/x.so" } }
        [[comparison]]
        name = "two"
        axes = { env = [{}, { A = "1" }, { B = "2", PATH = "/evil" }] }
        [[comparison]]
        name = "other"
        optional = true
        fixed = { env = { C = "3" } }
        """
    found = [(one.name, one.value) for one in variables_of(study(text))]
    assert found == [("A", "1"), ("LD_PRELOAD", "/x.so"), ("B", "2"), ("PATH", "/evil")]


def test_an_optional_comparison_counts_once_it_is_asked_for() -> None:
    text = '[[comparison]]\nname = "c"\noptional = true\nfixed = { env = { LD_AUDIT = "/x.so" } }\n'
    check_allowed(study(text), NOTHING)
    with pytest.raises(WeirError, match=r"sets LD_AUDIT .*--trust"):
        check_allowed(study(text).asking_for(["c"]), NOTHING)


def test_an_option_of_any_benchmark_counts() -> None:
    option = Option("blas", "text", default="auto", reach="code")
    known = Schema("1", benchmarks=[Benchmark("hpl", options=[option])])
    check_allowed(study('[fixed]\nblas = "auto"\n'), known)
    with pytest.raises(WeirError, match=r"sets blas .*--trust"):
        check_allowed(study('[fixed]\nblas = "libevil.so"\n'), known)


def test_weirs_own_studies_set_nothing_that_loads_code() -> None:
    for path in own_studies().values():
        assert is_own(path)
        check_allowed(load_study(path), NOTHING)
