//! How games end.

use game::Side;

/// How a game ended. It is told from the side whose turn it was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// 投了
    Resigned,
    /// 中断
    Interrupted,
    /// 千日手
    Repetition,
    /// 持将棋
    Impasse,
    /// 入玉勝ち: it declared that it has won.
    Declared,
    /// 引き分け: it declared that nobody has won.
    DeclaredDraw,
    /// 詰み: it is mate.
    Mate,
    /// 不詰: there is no mate.
    NoMate,
    /// 切れ負け: it lost by time.
    TimeUp,
    /// 反則負け: it made an illegal move.
    IllegalMove,
    /// 反則勝ち: the other side did what is not allowed.
    OpponentIllegal,
    /// 不戦敗: it did not come.
    Absent,
    /// 不戦勝: the other side did not come.
    OpponentAbsent,
    /// 最大手数: there were as many moves as were agreed.
    MostMoves,
    /// 待った: it took its move back.
    TakenBack,
    /// エラー
    Error,
}

impl Ending {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::Resigned,
        Self::Interrupted,
        Self::Repetition,
        Self::Impasse,
        Self::Declared,
        Self::DeclaredDraw,
        Self::Mate,
        Self::NoMate,
        Self::TimeUp,
        Self::IllegalMove,
        Self::OpponentIllegal,
        Self::Absent,
        Self::OpponentAbsent,
        Self::MostMoves,
        Self::TakenBack,
        Self::Error,
    ];

    /// Who won, if anybody did.
    pub const fn winner(self, turn: Side) -> Option<Side> {
        match self {
            Self::Resigned | Self::Mate | Self::TimeUp | Self::IllegalMove | Self::Absent => {
                Some(turn.other())
            }
            Self::Declared | Self::OpponentIllegal | Self::OpponentAbsent => Some(turn),
            _ => None,
        }
    }

    /// As KIF writes it. It has no words for the last three, nor for a draw that is declared.
    pub(super) const fn kif(self) -> &'static str {
        match self {
            Self::Resigned => "投了",
            Self::Interrupted => "中断",
            Self::Repetition => "千日手",
            Self::Impasse => "持将棋",
            Self::Declared => "入玉勝ち",
            Self::DeclaredDraw => "引き分け",
            Self::Mate => "詰み",
            Self::NoMate => "不詰",
            Self::TimeUp => "切れ負け",
            Self::IllegalMove => "反則負け",
            Self::OpponentIllegal => "反則勝ち",
            Self::Absent => "不戦敗",
            Self::OpponentAbsent => "不戦勝",
            Self::MostMoves => "最大手数",
            Self::TakenBack => "待った",
            Self::Error => "エラー",
        }
    }

    /// As KIF writes it, and as some programs do.
    pub(super) fn from_kif(word: &str) -> Option<Self> {
        match word {
            "入玉宣言" | "宣言勝ち" => Some(Self::Declared),
            "時間切れ" => Some(Self::TimeUp),
            _ => Self::ALL.into_iter().find(|ending| ending.kif() == word),
        }
    }

    /// As CSA writes it. It has no words for those who did not come.
    pub(super) const fn csa(self, turn: Side) -> &'static str {
        match self {
            Self::Resigned => "%TORYO",
            Self::Interrupted => "%CHUDAN",
            Self::Repetition => "%SENNICHITE",
            Self::Impasse => "%JISHOGI",
            Self::Declared => "%KACHI",
            Self::DeclaredDraw => "%HIKIWAKE",
            Self::Mate => "%TSUMI",
            Self::NoMate => "%FUZUMI",
            Self::TimeUp => "%TIME_UP",
            Self::IllegalMove => "%ILLEGAL_MOVE",
            Self::OpponentIllegal => match turn {
                Side::First => "%-ILLEGAL_ACTION",
                Side::Second => "%+ILLEGAL_ACTION",
            },
            Self::Absent => "%FUSENPAI",
            Self::OpponentAbsent => "%FUSENSHO",
            Self::MostMoves => "%MAX_MOVES",
            Self::TakenBack => "%MATTA",
            Self::Error => "%ERROR",
        }
    }

    /// As CSA writes it.
    pub(super) fn from_csa(word: &str, turn: Side) -> Option<Self> {
        match (word, turn) {
            ("%+ILLEGAL_ACTION", Side::First) | ("%-ILLEGAL_ACTION", Side::Second) => Some(Self::IllegalMove),
            _ => Self::ALL.into_iter().find(|ending| ending.csa(turn) == word),
        }
    }
}
