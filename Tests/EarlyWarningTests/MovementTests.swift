import EarlyWarning
import Testing
import Tracking

/// Whether a person moves by their own strength.
struct MovementTests {
    /// Goes north at speeds in metres per second, each for some seconds, with a position every
    /// `pause` seconds.
    ///
    /// - Returns: the seconds at which it reported exertion.
    private func go(_ legs: [(speed: Double, seconds: Int)], every pause: Int = 1) -> [Int] {
        var (movement, said, now, metres) = (Movement(), [Int](), 0, 0.0)
        for leg in legs {
            for second in 0..<leg.seconds {
                if now % pause == 0 {
                    let place = Coordinate(latitude: 46 + metres / 111_195, longitude: 14)
                    if let place,
                        movement.move(to: place, at: Timestamp(milliseconds: Int64(now) * 1_000))
                    {
                        said.append(now)
                    }
                }
                _ = second
                metres += leg.speed
                now += 1
            }
        }
        return said
    }

    @Test func `Jogging for a minute is exertion; walking and standing are not`() {
        #expect(go([(3, 180)]) == [60, 90, 120, 150])
        #expect(go([(2.2, 100)]) == [60, 90])
        #expect(go([(1.6, 600)]).isEmpty && go([(0, 600)]).isEmpty)
        #expect(go([(3, 50), (0, 600)]).isEmpty)
    }

    @Test func `Cycling is exertion, even with one position a minute`() {
        #expect(go([(8, 300)], every: 60).first == 60)
        #expect(go([(8, 600)], every: 150).isEmpty)
    }

    @Test func `Driving is not exertion, even slowly afterwards`() {
        #expect(go([(20, 120), (7, 500)]).isEmpty)
        #expect(!go([(20, 60), (7, 900)]).isEmpty)
    }

    @Test func `Out-of-order positions are ignored`() {
        var movement = Movement()
        let place = Coordinate(latitude: 46, longitude: 14)
        for second in [300, 200, 100] {
            let isExertion = place.map {
                movement.move(to: $0, at: Timestamp(milliseconds: Int64(second) * 1_000))
            }
            #expect(isExertion == false)
        }
    }
}
