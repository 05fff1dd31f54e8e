internal import Contract

/// When an operator is notified of concerns: once one has lasted for a while, and once it is over.
struct ConcernNews {
    struct News: Hashable {
        var begun: [Concern] = []
        var over: [Concern] = []
        var isEmpty: Bool { begun.isEmpty && over.isEmpty }
    }

    /// Since when each has been there, or has been away, without interruption.
    private var since: [Concern: (isThere: Bool, at: Duration)] = [:]
    /// What the operator was notified of, and when; it is not over yet.
    private var told: Set<Concern> = []
    private var toldAt: [Concern: Duration] = [:]

    /// What is over sooner is not reported. A broker that is away for so long is not one that is restarted.
    static func settling(of concern: Concern) -> Duration {
        concern == .brokerUnreachable ? .seconds(10) : .seconds(60)
    }
    /// How often what comes and goes is reported.
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
