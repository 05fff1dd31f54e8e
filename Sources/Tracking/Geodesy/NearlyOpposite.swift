internal import RealModule

/// The shortest line between two nearly opposite points, for which Vincenty's iteration does not
/// converge.
///
/// C. F. F. Karney, "Algorithms for geodesics", Journal of Geodesy 87 (2013), section 4: of all
/// geodesics from the first point to the second one's latitude, each with its own azimuth, exactly
/// one ends at the second one's longitude, and the difference of longitude grows with the azimuth;
/// so it is found by bisection. Both integrals are computed by Gauss–Legendre quadrature.
struct NearlyOpposite {
    /// Metres.
    private(set) var distance = 0.0
    /// Radians clockwise from north.
    private(set) var azimuth = 0.0

    private static let f = WGS84.flattening
    /// Enough for an azimuth between 0 and π to the last bits.
    private static let halvings = 55

    /// The first point is in the south, and no nearer to the equator than the second, as always in
    /// the paper.
    private let (sinBeta1, cosBeta1): (Double, Double)
    private let (sinBeta2, cosBeta2): (Double, Double)

    /// - Parameters:
    ///   - from: sine and cosine of the first point's reduced latitude.
    ///   - to: those of the second point.
    ///   - longitude: how far east the second point is, in radians, −2π…2π.
    init(
        from: (sine: Double, cosine: Double), to: (sine: Double, cosine: Double), longitude: Double
    ) {
        let isSwapped = abs(from.sine) < abs(to.sine)
        var (first, second) = isSwapped ? (to, from) : (from, to)
        let isMirrored = first.sine >= 0
        if isMirrored { (first.sine, second.sine) = (-first.sine, -second.sine) }
        // On the equator, too, a line that begins towards the south comes from below.
        sinBeta1 = min(first.sine, -.leastNormalMagnitude)
        cosBeta1 = first.cosine
        (sinBeta2, cosBeta2) = second

        let east = longitude.remainder(dividingBy: 2 * .pi)
        let start = search(for: abs(east))
        var (_, end, length) = course(start)
        distance = length
        // The same line, seen from the other end and mirrored.
        end = isSwapped ? .pi - end : start
        if isMirrored { end = .pi - end }
        azimuth = east < 0 ? -end : end
    }

    private func search(for longitude: Double) -> Double {
        var (low, high) = (0.0, Double.pi)
        for _ in 0..<NearlyOpposite.halvings {
            let middle = (low + high) / 2
            if course(middle).longitude < longitude { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// The geodesic that begins in this direction, up to the second point's latitude.
    private func course(_ azimuth: Double) -> (longitude: Double, end: Double, length: Double) {
        let (sinAlpha1, cosAlpha1) = (Double.sin(azimuth), Double.cos(azimuth))
        let sinAlpha0 = sinAlpha1 * cosBeta1
        let cosAlpha0 = Double.hypot(cosAlpha1, sinAlpha1 * sinBeta1)
        // Equations 5 and 45: cos α₂ times cos β₂.
        let x = cosAlpha1 * cosBeta1
        let y = max(0, x * x + (cosBeta2 - cosBeta1) * (cosBeta2 + cosBeta1)).squareRoot()
        let (sigma1, sigma2) = (
            Double.atan2(y: sinBeta1, x: x), Double.atan2(y: sinBeta2, x: y)
        )
        let (omega1, omega2) = (
            Double.atan2(y: sinAlpha0 * sinBeta1, x: x), Double.atan2(y: sinAlpha0 * sinBeta2, x: y)
        )
        let b = WGS84.semiMinorAxis
        let secondEccentricity = (WGS84.semiMajorAxis * WGS84.semiMajorAxis - b * b) / (b * b)
        let kSquared = secondEccentricity * cosAlpha0 * cosAlpha0
        let f = NearlyOpposite.f
        var (stretch, lag) = (0.0, 0.0)
        for (node, weight) in NearlyOpposite.nodes {
            for sign in [-1.0, 1] {
                let sigma = (sigma1 + sigma2) / 2 + sign * node * (sigma2 - sigma1) / 2
                let root = (1 + kSquared * Double.sin(sigma) * Double.sin(sigma)).squareRoot()
                stretch += weight * root
                lag += weight * (2 - f) / (1 + (1 - f) * root)
            }
        }
        let half = (sigma2 - sigma1) / 2
        // Equations 7 and 8.
        return (
            omega2 - omega1 - f * sinAlpha0 * lag * half, Double.atan2(y: sinAlpha0, x: y),
            b * stretch * half
        )
    }

    /// The zeros of the Legendre polynomial of degree 16 and their weights (M. Abramowitz, I. A.
    /// Stegun, "Handbook of mathematical functions", table 25.4).
    private static let nodes: [(Double, Double)] = [
        (0.095012509837637440185, 0.189450610455068496285),
        (0.281603550779258913230, 0.182603415044923588867),
        (0.458016777657227386342, 0.169156519395002538189),
        (0.617876244402643748447, 0.149595988816576732081),
        (0.755404408355003033895, 0.124628971255533872052),
        (0.865631202387831743880, 0.095158511682492784810),
        (0.944575023073232576078, 0.062253523938647892863),
        (0.989400934991649932596, 0.027152459411754094852),
    ]
}
