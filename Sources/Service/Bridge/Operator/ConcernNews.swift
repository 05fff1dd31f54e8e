internal import Contract

/// Decides when the operator is notified of concerns: once one has lasted for a while, and once it
/// is over.
struct ConcernNews {
    struct News: Hashable {
        var begun: [Concern] = []
        var over: [Concern] = []
        var isEmpty: Bool { begun.isEmpty && over.isEmpty }
    }

    /// The time since which each concern has been present, or absent, without interruption.
    private var since: [Concern: (isThere: Bool, at: Duration)] = [:]
    /// Concerns that the operator was notified of and that are not over yet.
    private var told: Set<Concern> = []
    private var toldAt: [Concern: Duration] = [:]

    /// Returns the time that a change must last to be reported. A broker restart takes less.
    static func settling(of concern: Concern) -> Duration {
        concern == .brokerUnreachable ? .seconds(10) : .seconds(60)
    }
    /// The minimum interval between reports of a recurring concern.
    static let pause = Duration.seconds(3_600)

    /// - Parameter now: by the steady clock.
    mutating func look(at list: Set<Concern>, _ now: Duration) -> News {
        var news = News()
        for concern in Concern.allCases {
            let isThere = list.contains(concern)
            if since[concern].map({ $0.isThere != isThere }) ?? true {
                since[concern] = (isThere, now)
            }
            guard isThere != told.contains(concern), let change = since[concern],
                now - change.at >= ConcernNews.settling(of: concern)
            else { continue }
            if isThere {
                if let last = toldAt[concern], now - last < ConcernNews.pause { continue }
                told.insert(concern)
                toldAt[concern] = now
                news.begun.append(concern)
            } else {
                told.remove(concern)
                news.over.append(concern)
            }
        }
        return news
    }
}
