"""Finding libraries, the cache, and what a user is told when a library is no good."""

import gzip
from pathlib import Path

import pytest
from rtl_evolve.rtl.errors import InputError
from rtl_evolve.synth.libraries import find_library, known_libraries
from rtl_evolve.synth.library import Library


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_default_library(nangate: Library) -> None:
    assert nangate.name == "nangate45"
    assert len(nangate.cells) == 135
    assert len(nangate.flops) == 16
    assert nangate.corner == "typical, 1.1 V, 25 C"
    assert nangate.cells["INV_X1"].area_um2 == 0.532
    assert Path(nangate.abc_library).is_file()
    assert "DFF_X1" in Path(nangate.flop_library).read_text()


def test_known_libraries_say_how_to_get_them() -> None:
    names = {library.name: library for library in known_libraries()}
    assert names["nangate45"].path is not None
    assert names["osu018"].remedy == "apt-get install qflow-tech-osu018"


def test_a_path_packed_or_not_gives_the_same_cells(cache: Path, tmp_path: Path, small_text: str) -> None:
    plain, packed = tmp_path / "a.lib", tmp_path / "a.lib.gz"
    plain.write_text(small_text)
    packed.write_bytes(gzip.compress(small_text.encode()))
    one, two = find_library(str(plain)), find_library(str(packed))
    assert one.cells == two.cells
    assert one.digest == two.digest
    assert (one.files, two.files) == ((str(plain),), (str(packed),))


def test_the_cache_is_used_and_repaired(cache: Path, tmp_path: Path, small_text: str) -> None:
    path = tmp_path / "a.lib"
    path.write_text(small_text)
    first = find_library(str(path))
    (stored,) = cache.glob("**/library.pickle")
    whole = stored.read_bytes()
    stored.write_bytes(whole[:-5])
    path.touch()
    assert find_library(str(path)).cells == first.cells
    assert stored.read_bytes() == whole


def test_a_changed_file_is_read_anew(cache: Path, tmp_path: Path, small_text: str) -> None:
    path = tmp_path / "a.lib"
    path.write_text(small_text)
    assert find_library(str(path)).cells["INV"].area_um2 == 1.5
    path.write_text(small_text.replace("area : 1.5", "area : 1.75"))
    assert find_library(str(path)).cells["INV"].area_um2 == 1.75


def test_unwanted_cells(cache: Path, tmp_path: Path, small_text: str) -> None:
    path = tmp_path / "a.lib"
    path.write_text(small_text.replace("cell (BUF) {", "cell (BUF) { dont_use : true;"))
    assert find_library(str(path), ("DFFR*",)).dont_use == ("BUF", "DFFR")
    assert "DFFR" not in Path(find_library(str(path), ("DFFR*",)).flop_library).read_text()


def test_several_paths(cache: Path, tmp_path: Path, small_text: str) -> None:
    paths = [tmp_path / "a.lib", tmp_path / "b.lib"]
    paths[0].write_text(small_text)
    paths[1].write_text(small_text.replace("cell (", "cell (Z"))
    assert {"INV", "ZINV"} <= set(find_library(",".join(map(str, paths))).cells)
    with pytest.raises(InputError, match=r"a\.lib: cell BUF is in another of the libraries too"):
        find_library(f"{paths[0]},{paths[0]}")


def test_clear_lines_for_bad_libraries(cache: Path, tmp_path: Path, small_text: str) -> None:
    def refusal(name: str, data: bytes | None) -> str:
        path = tmp_path / name
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(InputError) as caught:
            find_library(str(path))
        return str(caught.value).replace(str(tmp_path), "")

    packed = gzip.compress(small_text.encode())
    assert refusal("none.lib", None) == (
        "there is no library `/none.lib`: give a .lib or .lib.gz file, or one of nangate45, osu018"
    )
    assert refusal("empty.lib", b"") == "/empty.lib: the Liberty file is empty"
    assert refusal("cut.lib.gz", packed[: len(packed) // 2]).startswith(
        "/cut.lib.gz: the library's gzip data is damaged"
    )
    assert refusal("bad.lib.gz", packed[:60] + b"???" + packed[63:]).startswith(
        "/bad.lib.gz: the library's gzip data is damaged"
    )
    assert refusal("named.lib.gz", small_text.encode()) == (
        "/named.lib.gz: the library is no gzip file though its name ends in .gz"
    )
    cut = small_text[: small_text.index("cell (XOR2)") + 40]
    assert refusal("cut.lib", cut.encode()) == "/cut.lib: the file ends inside cell (XOR2): it is cut off"
    few = small_text[: small_text.index("cell (NAND2)")] + "}"
    assert refusal("few.lib", few.encode()) == (
        "the library is no good for mapping: ABC says `Library with only 1 cell classes cannot be used.`"
    )


def test_other_real_libraries(shared_libraries: Path) -> None:
    sky = find_library(str(shared_libraries / "sky130hd_tt.lib.gz"))
    assert (len(sky.cells), len(sky.flops), sky.voltage_v) == (428, 45, 1.8)
    assert "sky130_fd_sc_hd__probe_p_8" in sky.dont_use
    ihp = find_library(str(shared_libraries / "sg13g2_stdcell_typ_1p20V_25C.lib.gz"))
    assert (len(ihp.cells), len(ihp.flops), ihp.voltage_v) == (84, 9, 1.2)
