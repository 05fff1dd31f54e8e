internal import RealModule

/// The WGS 84 ellipsoid (NIMA TR8350.2).
enum WGS84 {
    /// Metres.
    static let semiMajorAxis = 6_378_137.0
    static let flattening = 1 / 298.257223563
    /// Metres.
    static let semiMinorAxis = semiMajorAxis * (1 - flattening)
    /// Metres.
    static let meanRadius = (2 * semiMajorAxis + semiMinorAxis) / 3
    /// Metres from pole to pole along a meridian: the largest distance.
    static let halfMeridian = 20_003_931.458_6
}

extension Coordinate {
    /// The length of the shortest line over the ellipsoid, in metres.
    ///
    /// T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid with application of
    /// nested equations", Survey Review 23 (1975), inverse formula: within 0.5 mm. If the iteration
    /// does not converge, which happens only for nearly opposite points of the earth (more than
    /// 19,900 km apart), the length is that on a sphere, within 0.6 %.
    public func distance(to other: Coordinate) -> Double { way(to: other).distance }

    /// The same, and the direction in which the line begins: degrees clockwise from true north,
    /// 0..<360; nil if its length is zero.
    public func way(to other: Coordinate) -> (distance: Double, bearing: Double?) {
        guard self != other else { return (0, nil) }
        let degree = Double.pi / 180
        let f = WGS84.flattening
        let longitudeDifference = (other.longitude - longitude) * degree
        let (sinU1, cosU1) = Self.reduced(latitude * degree)
        let (sinU2, cosU2) = Self.reduced(other.latitude * degree)

        var lambda = longitudeDifference
        for _ in 0..<Self.iterations {
            let (sinLambda, cosLambda) = (Double.sin(lambda), Double.cos(lambda))
            let x = cosU2 * sinLambda
            let y = cosU1 * sinU2 - sinU1 * cosU2 * cosLambda
            let sinSigma = (x * x + y * y).squareRoot()
            guard sinSigma > 0 else { return (0, nil) }  // The same pole, or ±180°.
            let cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cosLambda
            let sigma = Double.atan2(y: sinSigma, x: cosSigma)
            let sinAlpha = cosU1 * cosU2 * sinLambda / sinSigma
            let cosSquaredAlpha = 1 - sinAlpha * sinAlpha
            let cos2SigmaM =
                cosSquaredAlpha > 0 ? cosSigma - 2 * sinU1 * sinU2 / cosSquaredAlpha : 0
            let c = f / 16 * cosSquaredAlpha * (4 + f * (4 - 3 * cosSquaredAlpha))
            let previous = lambda
            lambda =
                longitudeDifference
                + (1 - c) * f * sinAlpha
                * (sigma + c * sinSigma
                    * (cos2SigmaM + c * cosSigma * (2 * cos2SigmaM * cos2SigmaM - 1)))
            if abs(lambda - previous) < 1e-12 {
                let length = Self.length(
                    sigma, sinSigma, cosSigma, cos2SigmaM, cosSquaredAlpha)
                return (length, Self.bearing(lambda, sinU1, cosU1, sinU2, cosU2))
            }
        }
        let arc = Double.acos(
            max(-1, min(1, sinU1 * sinU2 + cosU1 * cosU2 * Double.cos(longitudeDifference))))
        return (
            min(WGS84.meanRadius * arc, WGS84.halfMeridian),
            Self.bearing(longitudeDifference, sinU1, cosU1, sinU2, cosU2)
        )
    }

    /// If it takes more iterations than this, it takes very many.
    private static let iterations = 20

    /// Vincenty's equation 20: the azimuth at the first point.
    private static func bearing(
        _ lambda: Double, _ sinU1: Double, _ cosU1: Double, _ sinU2: Double, _ cosU2: Double
    ) -> Double {
        degrees(
            Double.atan2(
                y: cosU2 * Double.sin(lambda),
                x: cosU1 * sinU2 - sinU1 * cosU2 * Double.cos(lambda)))
    }

    private static func degrees(_ azimuth: Double) -> Double {
        let degrees = azimuth * 180 / .pi
        // A value just below zero is rounded to 360.
        return degrees < 0 ? (degrees + 360).truncatingRemainder(dividingBy: 360) : degrees
    }

    /// Sine and cosine of the reduced latitude.
    private static func reduced(_ latitude: Double) -> (sine: Double, cosine: Double) {
        let tangent = (1 - WGS84.flattening) * Double.tan(latitude)
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        return (tangent * cosine, cosine)
    }

    /// Vincenty's equations 3, 4 and 6: the length on the ellipsoid of an arc on the sphere.
    private static func length(
        _ sigma: Double, _ sinSigma: Double, _ cosSigma: Double, _ cos2SigmaM: Double,
        _ cosSquaredAlpha: Double
    ) -> Double {
        let a = WGS84.semiMajorAxis
        let b = WGS84.semiMinorAxis
        let uSquared = cosSquaredAlpha * (a * a - b * b) / (b * b)
        let bigA =
            1 + uSquared / 16384 * (4096 + uSquared * (-768 + uSquared * (320 - 175 * uSquared)))
        let bigB = uSquared / 1024 * (256 + uSquared * (-128 + uSquared * (74 - 47 * uSquared)))
        let squared = cos2SigmaM * cos2SigmaM
        let inner =
            cosSigma * (2 * squared - 1)
            - bigB / 6 * cos2SigmaM * (4 * sinSigma * sinSigma - 3) * (4 * squared - 3)
        let correction = bigB * sinSigma * (cos2SigmaM + bigB / 4 * inner)
        return b * bigA * (sigma - correction)
    }
}
