#pragma once

namespace weir::flash {

/// The constant c of a strong spherical blast in gas of uniform density: its front is at c (E t^2 / rho)^(1/5). Found
/// by integrating the similarity solution, for every gamma > 1. Sedov: Similarity and dimensional methods in mechanics,
/// Academic Press 1959, chapter IV; the equations as in Landau, Lifshitz: Fluid mechanics, section 106.
double similarity_constant(double gamma);

}  // namespace weir::flash
