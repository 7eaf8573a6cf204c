# SPDX-License-Identifier: Apache-2.0
"""How far apart colours look, with full colour vision and without one sort of cones.

Simulated by the matrices of Machado, Oliveira and Fernandes (IEEE TVCG 15(6), 2009) at full
severity, on linear light; the distance is Euclidean in OKLab, times 100.
"""
import math

VISION = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def times(matrix, vector):
    return [sum(m * v for m, v in zip(row, vector)) for row in matrix]


def linear(colour):
    """"#3b6fb6" -> linear red, green, blue."""
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def seen(colour, vision):
    light = [min(max(v, 0), 1) for v in times(VISION[vision], linear(colour))]
    return times(TO_LAB, [v ** (1 / 3) for v in times(TO_CONES, light)])


def distance(one, other, vision):
    return 100 * math.dist(seen(one, vision), seen(other, vision))


def contrast(one, other):
    """Contrast ratio of WCAG 2, 1 to 21."""
    light = sorted(
        0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other))
    )
    return (light[1] + 0.05) / (light[0] + 0.05)
