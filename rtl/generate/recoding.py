"""Integers as sums and differences of powers of two."""


def signed_digits(number: int) -> tuple[tuple[int, int], ...]:
    """The canonical form: (shift, 1 or -1) with the fewest digits, no two neighbouring; lowest first (Reitwiesner 1960)."""
    digits: list[tuple[int, int]] = []
    shift = 0
    while number:
        if number & 1:
            digit = 2 - (number & 3)
            digits.append((shift, digit))
            number -= digit
        number >>= 1
        shift += 1
    return tuple(digits)
